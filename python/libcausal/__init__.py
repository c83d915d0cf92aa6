"""Is this concurrent program causally atomic, serializable, free of deadlocks? The library libcausal from Python.

    import libcausal
    result = libcausal.ask(libcausal.Question.ATOMIC, open("prog.sml").read(), timeout=10)
    if result.verdict is libcausal.Verdict.VIOLATED:
        print(result.text("text"))

ask() lets other threads of Python run. Ctrl-C ends a question, and comes as KeyboardInterrupt. The manual of all this is
libcausal.h; the shared library is $LIBCAUSAL, or the one that the system finds.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import enum
import json
import os
import threading
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["Question", "Verdict", "Level", "Diagnostic", "Step", "Finding", "Prefix", "Result", "Stop", "ask", "version"]


class Question(enum.IntEnum):
    ATOMIC = 0  # is each marked block causally atomic?
    SERIALIZABLE = 1  # are all runs serializable?
    DEADLOCK = 2  # of the net: can nothing happen any more?
    REACHABLE = 3  # can `target` hold, places or a formula?
    FIREABLE = 4  # can the transition `target` fire?
    PREFIX = 5  # nothing: the complete prefix is wanted
    NET = 6  # nothing: the net is wanted


class Verdict(enum.IntEnum):
    UNKNOWN = 0
    HOLDS = 1
    VIOLATED = 2
    REFUSED = 3  # the input or the options are not what they should be
    FAULT = 4  # a self-check failed


class Level(enum.IntEnum):
    ERROR = 0
    WARNING = 1
    NOTE = 2


@dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note about the text of a program. Lines and columns count from 1; 0 is nowhere."""

    level: Level
    line: int
    column: int
    length: int
    message: str
    option: Optional[str]


@dataclass(frozen=True)
class Step:
    """An event of an example run."""

    thread: Optional[str]
    text: Optional[str]
    words: Optional[str]
    line: int
    column: int
    in_block: bool


@dataclass(frozen=True)
class Finding:
    """What is said of one block, one cycle, or one question about a net."""

    verdict: Verdict
    rule: str
    message: str
    why: Optional[str]
    grounds: Optional[str]
    line: int
    column: int
    steps: Tuple[Step, ...]


@dataclass(frozen=True)
class Prefix:
    """A finite prefix of the unfolding of a net. Events and conditions are numbers from 0, causes smaller ones."""

    complete: bool
    place_names: Tuple[str, ...]
    transition_names: Tuple[str, ...]
    event_transition: Tuple[int, ...]
    presets: Tuple[Tuple[int, ...], ...]  # per event: its conditions
    is_cutoff: Tuple[bool, ...]
    corresponding: Tuple[Optional[int], ...]  # of a cut-off; None: the initial marking
    condition_place: Tuple[int, ...]
    producer: Tuple[Optional[int], ...]  # per condition: its event; None: it is an initial one


# ---- the structs of libcausal.h ----

_WORDS = ctypes.POINTER(ctypes.c_char_p)
_NONE = 0xFFFFFFFF


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("timeout", ctypes.c_double),
        ("max_memory", ctypes.c_uint64),
        ("max_events", ctypes.c_uint64),
        ("stop", ctypes.c_void_p),
        ("defines", _WORDS),
        ("n_defines", ctypes.c_size_t),
        ("warnings", _WORDS),
        ("n_warnings", ctypes.c_size_t),
        ("each_access", ctypes.c_bool),
        ("any_number", ctypes.c_bool),
        ("blocks", _WORDS),
        ("n_blocks", ctypes.c_size_t),
        ("begins", _WORDS),
        ("ends", _WORDS),
        ("n_begins", ctypes.c_size_t),
        ("n_ends", ctypes.c_size_t),
        ("allow_empty", ctypes.c_bool),
        ("target", ctypes.c_char_p),
    ]


class _Diagnostic(ctypes.Structure):
    _fields_ = [
        ("level", ctypes.c_int),
        ("line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
        ("length", ctypes.c_uint32),
        ("message", ctypes.c_char_p),
        ("option", ctypes.c_char_p),
    ]


class _Step(ctypes.Structure):
    _fields_ = [
        ("thread", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("words", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
        ("in_block", ctypes.c_bool),
    ]


class _Finding(ctypes.Structure):
    _fields_ = [
        ("verdict", ctypes.c_int),
        ("rule", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
        ("why", ctypes.c_char_p),
        ("grounds", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
        ("steps", ctypes.POINTER(_Step)),
        ("n_steps", ctypes.c_size_t),
    ]


_NUMBERS = ctypes.POINTER(ctypes.c_uint32)
_BOOLS = ctypes.POINTER(ctypes.c_bool)


class _Prefix(ctypes.Structure):
    _fields_ = [
        ("complete", ctypes.c_bool),
        ("n_events", ctypes.c_uint32),
        ("n_conditions", ctypes.c_uint32),
        ("n_places", ctypes.c_uint32),
        ("n_transitions", ctypes.c_uint32),
        ("event_transition", _NUMBERS),
        ("preset_start", _NUMBERS),
        ("preset", _NUMBERS),
        ("condition_place", _NUMBERS),
        ("producer", _NUMBERS),
        ("is_cutoff", _BOOLS),
        ("corresponding", _NUMBERS),
        ("place_name", _WORDS),
        ("transition_name", _WORDS),
    ]


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(os.environ.get("LIBCAUSAL") or ctypes.util.find_library("causal") or "libcausal.so.0")
    size = ctypes.POINTER(ctypes.c_size_t)
    prototypes: Mapping[str, Tuple[Any, List[Any]]] = {
        "causal_ask": (ctypes.c_void_p, [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(_Options)]),
        "causal_free": (None, [ctypes.c_void_p]),
        "causal_verdict": (ctypes.c_int, [ctypes.c_void_p]),
        "causal_why": (ctypes.c_char_p, [ctypes.c_void_p]),
        "causal_diagnostics": (ctypes.POINTER(_Diagnostic), [ctypes.c_void_p, size]),
        "causal_findings": (ctypes.POINTER(_Finding), [ctypes.c_void_p, size]),
        "causal_output": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, size]),
        "causal_prefix": (ctypes.POINTER(_Prefix), [ctypes.c_void_p]),
        "causal_stop_new": (ctypes.c_void_p, []),
        "causal_stop": (None, [ctypes.c_void_p]),
        "causal_stop_free": (None, [ctypes.c_void_p]),
        "causal_version": (ctypes.c_char_p, []),
    }
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


_library = _load()


# ---- from C to Python ----


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def _str(value: Optional[bytes]) -> str:
    return _text(value) or ""


def _number(value: int) -> Optional[int]:
    return None if value == _NONE else value


def _words(values: Sequence[str]) -> Any:
    return (ctypes.c_char_p * len(values))(*[value.encode() for value in values]) if values else None


def _step(step: _Step) -> Step:
    return Step(_text(step.thread), _text(step.text), _text(step.words), step.line, step.column, step.in_block)


def _finding(finding: _Finding) -> Finding:
    steps = tuple(_step(finding.steps[i]) for i in range(finding.n_steps))
    return Finding(
        Verdict(finding.verdict),
        _str(finding.rule),
        _str(finding.message),
        _text(finding.why),
        _text(finding.grounds),
        finding.line,
        finding.column,
        steps,
    )


def _prefix(it: _Prefix) -> Prefix:
    starts = it.preset_start[: it.n_events + 1]
    preset = it.preset[: starts[-1]]
    cutoffs = it.is_cutoff[: it.n_events]
    return Prefix(
        complete=it.complete,
        place_names=tuple(_str(name) for name in it.place_name[: it.n_places]),
        transition_names=tuple(_str(name) for name in it.transition_name[: it.n_transitions]),
        event_transition=tuple(it.event_transition[: it.n_events]),
        presets=tuple(tuple(preset[starts[e] : starts[e + 1]]) for e in range(it.n_events)),
        is_cutoff=tuple(cutoffs),
        corresponding=tuple(_number(e) for e in it.corresponding[: it.n_events]),
        condition_place=tuple(it.condition_place[: it.n_conditions]),
        producer=tuple(_number(e) for e in it.producer[: it.n_conditions]),
    )


# ---- asking ----


class Stop:
    """Ends the questions that it is given to, from any thread: their verdict is UNKNOWN then. It stays stopped."""

    def __init__(self) -> None:
        self._pointer = _library.causal_stop_new()
        if not self._pointer:
            raise MemoryError

    def stop(self) -> None:
        _library.causal_stop(self._pointer)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            _library.causal_stop_free(self._pointer)


class Result:
    """What came of a question. All of it is known at once; only text() and prefix() make something more."""

    def __init__(self, pointer: Optional[int]) -> None:
        self._pointer = pointer
        n = ctypes.c_size_t()
        self.verdict = Verdict(_library.causal_verdict(pointer))
        self.why = _str(_library.causal_why(pointer))
        said = _library.causal_diagnostics(pointer, n)
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(
            Diagnostic(Level(d.level), d.line, d.column, d.length, _str(d.message), _text(d.option))
            for d in (said[: n.value] if n.value else [])
        )
        found = _library.causal_findings(pointer, n)
        self.findings: Tuple[Finding, ...] = tuple(_finding(f) for f in (found[: n.value] if n.value else []))

    def output(self, form: str) -> Optional[bytes]:
        """One of the forms of causal_output(): "mci", "pnml", ...; None if this result has no such form."""
        n = ctypes.c_size_t()
        at = _library.causal_output(self._pointer, form.encode(), n)
        return ctypes.string_at(at, n.value) if at else None

    def text(self, form: str = "text") -> str:
        """The same as a string; ValueError if there is no such form."""
        output = self.output(form)
        if output is None:
            raise ValueError(f"this result has no form {form!r}")
        return output.decode("utf-8", "replace")

    def json(self) -> Any:
        """All that is known, as docs/json.md has it."""
        return json.loads(self.text("json"))

    def prefix(self) -> Optional[Prefix]:
        found = _library.causal_prefix(self._pointer)
        return _prefix(found.contents) if found else None

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            _library.causal_free(self._pointer)


def _wait(question: Question, text: bytes, options: _Options, stop: Stop) -> Optional[int]:
    """Asks in a thread of its own, so that Ctrl-C is heard."""
    answer: List[Optional[int]] = []

    def work() -> None:
        answer.append(_library.causal_ask(question, text, len(text), ctypes.byref(options)))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
    except BaseException:
        stop.stop()
        thread.join()
        if answer:
            _library.causal_free(answer[0])
        raise
    return answer[0]


def ask(
    question: Question,
    text: Union[str, bytes],
    *,
    name: str = "<input>",
    timeout: float = 0,
    max_memory: int = 0,
    max_events: int = 0,
    stop: Optional[Stop] = None,
    defines: Optional[Mapping[str, int]] = None,
    warnings: Sequence[str] = (),
    each_access: bool = False,
    any_number: bool = False,
    blocks: Sequence[str] = (),
    begins: Sequence[str] = (),
    ends: Sequence[str] = (),
    allow_empty: bool = False,
    target: Optional[str] = None,
) -> Result:
    """Answers the question about the text, a program or a net. The options are those of CausalOptions in libcausal.h."""
    counts = [f"{key}={value}" for key, value in (defines or {}).items()]
    stop = stop or Stop()
    options = _Options(
        size=ctypes.sizeof(_Options),
        name=name.encode(),
        timeout=timeout,
        max_memory=max_memory,
        max_events=max_events,
        stop=stop._pointer,
        defines=_words(counts),
        n_defines=len(counts),
        warnings=_words(warnings),
        n_warnings=len(warnings),
        each_access=each_access,
        any_number=any_number,
        blocks=_words(blocks),
        n_blocks=len(blocks),
        begins=_words(begins),
        n_begins=len(begins),
        ends=_words(ends),
        n_ends=len(ends),
        allow_empty=allow_empty,
        target=target.encode() if target is not None else None,
    )
    data = text.encode() if isinstance(text, str) else bytes(text)
    on_main = threading.current_thread() is threading.main_thread()
    if not on_main:
        return Result(_library.causal_ask(question, data, len(data), ctypes.byref(options)))
    return Result(_wait(question, data, options, stop))


def version() -> str:
    """That of the library: "0.1.0"."""
    return _str(_library.causal_version())
