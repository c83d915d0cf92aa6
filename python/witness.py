#!/usr/bin/env python3
"""Draws why a block of a program is not causally atomic: witness.py PROG.sml >witness.svg

A column for each thread, time downwards; the steps of the block are framed, arrows are what depends on what, the thick
ones the chain from the block to other threads and back.
"""

import sys
from html import escape
from typing import Any, List

import libcausal

WIDTH, HEIGHT, LEFT, TOP = 190, 34, 20, 70


def step_place(finding: Any, i: int) -> "tuple[int, int]":
    event = finding["events"][finding["steps"][i]["event"]]
    return LEFT + WIDTH * event["thread"], TOP + HEIGHT * i


def draw_step(finding: Any, i: int) -> List[str]:
    step = finding["steps"][i]
    event = finding["events"][step["event"]]
    x, y = step_place(finding, i)
    fill = "#ffe9b8" if step.get("frame") else "#eeeeee"
    return [
        f'<rect x="{x}" y="{y}" width="{WIDTH - 40}" height="24" rx="4" fill="{fill}" stroke="#555555"/>',
        f'<text x="{x + 8}" y="{y + 16}">{escape(event["text"][:22])}</text>',
    ]


def draw_edge(finding: Any, edge: Any) -> List[str]:
    (x1, y1), (x2, y2) = step_place(finding, edge["from"]), step_place(finding, edge["to"])
    if x1 == x2:
        return []
    x1, x2 = (x1 + WIDTH - 40, x2) if x1 < x2 else (x1, x2 + WIDTH - 40)
    width = 2.5 if edge["kind"] == "chain" else 1
    return [
        f'<line x1="{x1}" y1="{y1 + 12}" x2="{x2}" y2="{y2 + 12}" stroke="#b00020" stroke-width="{width}" '
        f'marker-end="url(#head)"><title>{escape(edge.get("object", ""))}</title></line>'
    ]


def draw(finding: Any) -> str:
    threads, steps = finding["threads"], finding["steps"]
    width, height = 2 * LEFT + WIDTH * max(len(threads), 3), TOP + HEIGHT * len(steps) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        '<defs><marker id="head" orient="auto" markerWidth="8" markerHeight="8" refX="7" refY="3">'
        '<path d="M0,0 L7,3 L0,6 z" fill="#b00020"/></marker></defs>',
        f'<text x="{LEFT}" y="24" font-weight="bold">{escape(finding["message"])}</text>',
    ]
    for i, thread in enumerate(threads):
        lines.append(f'<text x="{LEFT + WIDTH * i}" y="52">{escape(thread["name"])}</text>')
    for i in range(len(steps)):
        lines += draw_step(finding, i)
    for edge in finding["edges"]:
        lines += draw_edge(finding, edge)
    return "\n".join(lines + ["</svg>"])


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: witness.py PROG.sml >witness.svg", file=sys.stderr)
        return 3
    with open(sys.argv[1], encoding="utf-8") as file:
        result = libcausal.ask(libcausal.Question.ATOMIC, file.read(), name=sys.argv[1], timeout=60)
    for said in result.diagnostics:
        print(f"{sys.argv[1]}:{said.line}:{said.column}: {said.level.name.lower()}: {said.message}", file=sys.stderr)
    violated = [finding for finding in result.json()["findings"] if finding["kind"] == "fail" and finding["steps"]]
    if not violated:
        print(f"{sys.argv[1]}: {result.verdict.name.lower()} {result.why}".rstrip(), file=sys.stderr)
        return {libcausal.Verdict.HOLDS: 0, libcausal.Verdict.UNKNOWN: 2}.get(result.verdict, 3)
    print(draw(violated[0]))
    return 1


if __name__ == "__main__":
    sys.exit(main())
