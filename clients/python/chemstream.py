"""Calls the `chemstream` command: identifiers in, records out.

`resolve` and `suspects` take a table: a pandas data frame, a list of dicts, or the name of a file, e.g. "samples.xlsx".
`lookup` takes a list or a pandas series. pandas gives a data frame back, anything else a list of dicts. Messages of the
command are Python warnings. Only the standard library is needed. The command must be installed; the environment variable
CHEMSTREAM names it (default: chemstream), with arguments as in a shell: `node /path/to/chemstream.js`.
"""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import tempfile
import warnings

__all__ = ["ChemstreamError", "ServiceError", "UsageError", "lookup", "resolve", "run", "suspects"]

_MISSING = {"", "None", "nan", "<NA>", "NaT"}


class ChemstreamError(Exception):
    """The command failed. `code` is its exit code, and `stderr` what it said."""

    def __init__(self, code, stderr):
        super().__init__(stderr.strip() or f"chemstream exited with {code}")
        self.code = code
        self.stderr = stderr


class UsageError(ChemstreamError):
    """The call or the input is wrong; nothing was requested (exit code 2)."""


class ServiceError(ChemstreamError):
    """The key was refused, or the service cannot be reached (exit codes 3 and 4)."""


def run(args, text="", allow_failed=False):
    """Runs the command with `text` on standard input, and returns its standard output.

    Takes every command: `run(["show", "DTXSID7020182"])` is a card, and `run(["convert", "in.csv", "out.xlsx"])` a file.
    Raises `ChemstreamError` for every exit code but 0. With `allow_failed`, exit code 1 is accepted: some values failed,
    and the records of the others are complete.
    """
    command = shlex.split(os.environ.get("CHEMSTREAM", "chemstream")) + list(args)
    try:
        ended = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    except FileNotFoundError as error:
        raise UsageError(127, f"cannot start {command[0]}: install chemstream, or name it in CHEMSTREAM") from error
    if ended.returncode == 0 or (allow_failed and ended.returncode == 1):
        for said in re.findall("^chemstream: (.*)", ended.stderr, re.MULTILINE):
            warnings.warn(said, stacklevel=2)
        return ended.stdout
    kind = {2: UsageError, 3: ServiceError, 4: ServiceError}.get(ended.returncode, ChemstreamError)
    raise kind(ended.returncode, ended.stderr)


def resolve(table, key, **options):
    """Finds the substances of identifiers of any kind. `key` is a column of the table, or several in order of preference.
    Returns every row of the table, with the columns status, dtxsid, casrn, preferredName, note and others.
    """
    return _over_table("resolve", table, {"key": key, **options})


def suspects(table, **options):
    """Finds candidates for the m/z of features, e.g. `suspects(table, mz="mz", ppm=5, adducts="[M+H]+")`.
    Returns a row for each candidate, with the columns of its feature, or the name of the file with `output="FILE"`.
    """
    return _over_table("suspects", table, options)


def lookup(ids, endpoint="details", **options):
    """Looks up identifiers, e.g. `lookup(ids, "hazard toxval", clean=True)`. Returns the records as a list of dicts.
    `ids` are a list or a pandas series. A series gives a data frame back. Identifiers without records are left out, with
    a warning that counts them, unless `quiet=True`. With `output="FILE"`, the result is the name of the file.
    """
    if hasattr(ids, "columns") or isinstance(ids, (str, dict)) or any(isinstance(one, dict) for one in ids):
        raise UsageError(2, 'lookup takes identifiers, not rows: lookup(frame["dtxsid"]) or [row["dtxsid"] for row in rows]')
    values = [text for text in map(str, ids) if text not in _MISSING]
    allow_failed = options.pop("allow_failed", False)
    is_quiet = options.pop("quiet", False) or not values
    # The rows of `bioactivity top` and `exposure-ratio` keep the column of the identifiers.
    key = "dtxsid" if endpoint.startswith("bioactivity ") else "value"
    text = "".join(json.dumps({key: value}) + "\n" for value in values)
    with tempfile.TemporaryDirectory() as folder:
        options.setdefault("json_summary", os.path.join(folder, "summary.json"))
        args = [*endpoint.split(), "--input", "-", "--key", key, "--quiet", *_flags(options)]
        result = _result(ids, run(args, text, allow_failed) if values else "", options)
        if is_quiet:
            return result
        with open(options["json_summary"], encoding="utf-8") as opened:
            counts = json.load(opened)
    if lost := [f"{counts[name]} {name}" for name in ("missing", "failed", "invalid") if counts.get(name)]:
        warnings.warn(f"{endpoint}: {', '.join(lost)} of {counts['read']}; errors=\"FILE\" has the reasons", stacklevel=2)
    return result


def _over_table(command, table, options):
    is_file = isinstance(table, (str, os.PathLike))
    if not is_file and len(table) == 0:
        return _frame_like(table, [])
    options.setdefault("quiet", True)
    allow_failed = options.pop("allow_failed", False)
    with tempfile.TemporaryDirectory() as folder:
        file = os.fspath(table) if is_file else os.path.join(folder, "table.csv")
        if not is_file:
            options.setdefault("header_row", 1)
            with open(file, "w", encoding="utf-8", newline="") as output:
                output.write(_to_csv(table))
        return _result(table, run([command, "--input", file, *_flags(options)], "", allow_failed), options)


def _to_csv(table):
    if hasattr(table, "to_csv"):
        return table.to_csv(index=False)
    rows = [row if isinstance(row, dict) else {"value": row} for row in table]
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _flags(options):
    flags = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            flags.append(flag)
        elif value is False:
            flags.append("--no-" + flag[2:])
        elif value is not None:
            names = value if isinstance(value, (list, tuple)) else None
            flags += [flag, str(value) if names is None else ",".join(f'"{one}"' if "," in str(one) else str(one) for one in names)]
    return flags


def _result(given, text, options):
    return options.get("output") or _frame_like(given, [json.loads(line) for line in text.split("\n") if line])


def _frame_like(given, records):
    if not hasattr(given, "to_csv"):
        return records
    import pandas
    return pandas.DataFrame(records)
