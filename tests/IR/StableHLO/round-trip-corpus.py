#!/usr/bin/env python3
"""Parses programs as JAX prints them and compares what tandem-opt prints with the file.

  X.stablehlo.mlir, X.gspmd.mlir, X.sdy_propagated.mlir    pretty form
  X.debuginfo.mlir[.gz]                                    pretty form with locations
  X.generic.mlir                                           generic form

Two texts are the same if they are equal once values (%...), blocks (^...) and aliases (#locN)
are numbered in order of appearance and runs of white space are one space. Each program also
goes through its generic form, with locations, and back, and must come out as before.

Usage: round-trip-corpus.py [--tool tandem-opt] [--exact] FILE_OR_FOLDER...
--exact compares the bytes. Prints each difference and a count; exit code 1 if there is one.
"""
import argparse
import gzip
import os
import re
import subprocess
import sys

KINDS = ("stablehlo", "gspmd", "sdy_propagated", "generic", "debuginfo")
NAME = re.compile(r"\.(%s)\.mlir(\.gz)?$" % "|".join(KINDS))
# A string is one token, so that nothing inside is renamed.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%^][\w$.-]+|#loc\d*\b|\s+')


def normalise(text):
    """The text with names numbered by first appearance and white space collapsed."""
    names = {}

    def replace(match):
        token = match.group()
        if token[0] == '"':
            return token
        if token.isspace():
            return " "
        return names.setdefault(token, "%s%d" % (token[0], len(names)))

    # Location aliases are defined before or after their uses; sorted out of the body, they
    # are compared as the set they stand for.
    body = [line for line in text.splitlines() if not line.startswith("#loc")]
    aliases = dict(re.match(r"(#loc\d*) = (.*)", line).groups()
                   for line in text.splitlines() if line.startswith("#loc"))
    text = TOKEN.sub(replace, "\n".join(body)).strip()
    resolved = [(number, aliases[name]) for name, number in names.items() if name in aliases]
    # Aliases that only aliases use are numbered as they are met.
    done = []
    for number, definition in resolved:
        definition = TOKEN.sub(replace, definition)
        done.append("%s = %s" % (number, definition))
        resolved.extend((n, aliases[a]) for a, n in names.items()
                        if a in aliases and all(n != r[0] for r in resolved))
    return text + "\n" + "\n".join(done)


def difference(want, got):
    at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
    start = max(0, at - 100)
    return "  file: ...%s\n  tool: ...%s" % (want[start:at + 100], got[start:at + 100])


class Tool:
    def __init__(self, path):
        self.path = path

    def __call__(self, text, *flags):
        run = subprocess.run([self.path, *flags], input=text, capture_output=True, text=True)
        if run.returncode:
            raise ValueError("  " + "\n  ".join(run.stderr.splitlines()[:5]))
        return run.stdout


def check(path, tool, exact):
    """The ways in which one file does not round-trip, as texts."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as file:
        text = file.read()
    kind = NAME.search(path).group(1)
    flags = {"generic": ["--mlir-print-op-generic"], "debuginfo": ["--mlir-print-debuginfo"]}
    form = flags.get(kind, [])
    same = (lambda t: t.rstrip("\n")) if exact else normalise
    found = []
    try:
        printed = tool(text, *form)
        if same(printed) != same(text):
            found.append("printed otherwise\n" + difference(same(text), same(printed)))
        through = tool(text, "--mlir-print-op-generic", "--mlir-print-debuginfo")
        again = tool(through, *form)
        if same(again) != same(printed):
            found.append("changed by way of the generic form\n" +
                         difference(same(printed), same(again)))
    except ValueError as error:
        found.append("rejected\n%s" % error)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--tool", default="tandem-opt")
    parser.add_argument("--exact", action="store_true")
    args = parser.parse_args()

    files = []
    for path in args.paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                files += [os.path.join(folder, name) for name in names if NAME.search(name)]
        else:
            files.append(path)
    if not files:
        sys.exit("no program found in " + " ".join(args.paths))

    tool = Tool(args.tool)
    count = dict.fromkeys(KINDS, 0)
    bad = 0
    for path in sorted(files):
        found = check(path, tool, args.exact)
        for text in found:
            print("%s: %s" % (path, text))
        bad += bool(found)
        count[NAME.search(path).group(1)] += 1
    print("%d files (%s), %d differ" % (
        len(files), ", ".join("%s %d" % entry for entry in count.items() if entry[1]), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
