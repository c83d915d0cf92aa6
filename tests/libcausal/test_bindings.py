"""The Python bindings, as unittest runs them; $SAMPLES is samples/."""

import os
import threading
import time
import unittest
from typing import List

import libcausal
from libcausal import Level, Question, Stop, Verdict, ask

SWITCHES = 24


def sample(name: str) -> str:
    with open(os.path.join(os.environ["SAMPLES"], name), encoding="utf-8") as file:
        return file.read()


def too_much() -> str:
    """Far too many states."""
    names = [f"bool v{i};" for i in range(SWITCHES)]
    body = "while (nondet) {{ v{0} := !v{0}; begin v{1} := !v{0}; v{0} := v{1} end }}"
    threads = [body.format(i, (i + 1) % SWITCHES) for i in range(SWITCHES)]
    return "\n".join(names) + "\n||\n".join(threads)


class Bindings(unittest.TestCase):
    def test_a_violation(self) -> None:
        result = ask(Question.ATOMIC, sample("figure5a.sml"), name="figure5a.sml", timeout=60)
        self.assertIs(result.verdict, Verdict.VIOLATED)
        self.assertEqual(result.why, "")
        finding = result.findings[0]
        self.assertIs(finding.verdict, Verdict.VIOLATED)
        self.assertEqual((finding.rule, finding.line), ("not-causally-atomic", 8))
        self.assertEqual({step.in_block for step in finding.steps}, {True, False})
        self.assertEqual(result.json()["verdict"], "violated")
        self.assertIn("figure5a.sml:8:1", result.text())
        self.assertIsNone(result.prefix())
        self.assertIsNone(result.output("mci"))
        self.assertRaises(ValueError, result.text, "mci")

    def test_it_holds(self) -> None:
        self.assertIs(ask(Question.ATOMIC, sample("figure5b.sml")).verdict, Verdict.HOLDS)
        self.assertIs(ask(Question.SERIALIZABLE, sample("figure7.sml").encode()).verdict, Verdict.HOLDS)

    def test_errors_have_places(self) -> None:
        result = ask(Question.ATOMIC, "int x;\nbegin acquire(m); x := 1 end\n")
        self.assertIs(result.verdict, Verdict.REFUSED)
        self.assertEqual((result.diagnostics[0].level, result.diagnostics[0].line), (Level.ERROR, 2))

    def test_options(self) -> None:
        program = "int x; N * { begin t := x; x := t + 1 end }"
        self.assertIs(ask(Question.ATOMIC, program).verdict, Verdict.REFUSED)
        self.assertIs(ask(Question.ATOMIC, program, defines={"N": 1}).verdict, Verdict.HOLDS)
        self.assertIs(ask(Question.ATOMIC, program, defines={"N": 3}).verdict, Verdict.VIOLATED)
        self.assertIs(ask(Question.ATOMIC, program, any_number=True).verdict, Verdict.VIOLATED)
        self.assertIs(ask(Question.ATOMIC, program, defines={"N": 1}, blocks=["none"]).verdict, Verdict.REFUSED)
        self.assertIs(ask(Question.ATOMIC, "skip", allow_empty=True).verdict, Verdict.HOLDS)
        self.assertEqual(ask(Question.ATOMIC, "begin y := 1 end", warnings=["no-all"]).diagnostics, ())
        self.assertIs(ask(Question.ATOMIC, program, max_memory=1000).verdict, Verdict.UNKNOWN)

    def test_a_net(self) -> None:
        net = ask(Question.NET, sample("figure5a.sml")).text("pnml")
        self.assertIs(ask(Question.ATOMIC, net).verdict, Verdict.VIOLATED)
        result = ask(Question.PREFIX, net)
        prefix = result.prefix()
        assert prefix
        self.assertTrue(prefix.complete and result.output("mci"))
        for event, preset in enumerate(prefix.presets):
            self.assertTrue(all(prefix.producer[b] is None or prefix.producer[b] < event for b in preset))
        self.assertEqual(len(prefix.condition_place), len(prefix.producer))
        self.assertTrue(all(place < len(prefix.place_names) for place in prefix.condition_place))
        self.assertIs(ask(Question.REACHABLE, net, target="#1").verdict, Verdict.VIOLATED)
        self.assertIs(ask(Question.FIREABLE, net, target="nobody").verdict, Verdict.REFUSED)

    def test_time_is_up(self) -> None:
        result = ask(Question.SERIALIZABLE, too_much(), timeout=0.3)
        self.assertIs(result.verdict, Verdict.UNKNOWN)
        self.assertIn("time limit", result.why)

    def test_it_is_stopped(self) -> None:
        stop = Stop()
        threading.Timer(0.2, stop.stop).start()
        result = ask(Question.SERIALIZABLE, too_much(), stop=stop)
        self.assertIs(result.verdict, Verdict.UNKNOWN)
        self.assertIn("interrupted", result.why)

    def test_ctrl_c(self) -> None:
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), 2))
        timer.start()
        start = time.monotonic()
        self.assertRaises(KeyboardInterrupt, ask, Question.SERIALIZABLE, too_much())
        self.assertLess(time.monotonic() - start, 20)
        timer.join()

    def test_threads(self) -> None:
        names = ("figure5a.sml", "deposit_bug.sml", "figure7.sml")
        wanted = {name: ask(Question.ATOMIC, sample(name)).text() for name in names}
        wrong: List[str] = []

        def work(name: str) -> None:
            for _ in range(5):
                if ask(Question.ATOMIC, sample(name)).text() != wanted[name]:
                    wrong.append(name)

        threads = [threading.Thread(target=work, args=(name,)) for name in wanted]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_version(self) -> None:
        self.assertRegex(libcausal.version(), r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
