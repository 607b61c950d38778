"""Writes the records of a list to Postgres every night with Dagster: dagster dev --python-file dagster_job.py

The process needs chemstream and these variables: CHEMSTREAM_BASE_URL, CHEMSTREAM_API_KEY_FILE and PGPASSWORD.
"""

import json
import subprocess

import dagster as dg

COMMAND = [
    "chemstream",
    "details",
    "--input",
    "/etc/chemstream/ids.txt",
    "--output",
    "postgres://chemstream@127.0.0.1/chemicals#chemicals",
    "--stale",
    "mark",
    "--wait",
    "3h",
    "--json-summary",
    "summary.json",
    "--quiet",
]


# A repeated run continues a stopped one.
@dg.asset(retry_policy=dg.RetryPolicy(max_retries=3, delay=600))
def chemicals() -> dg.MaterializeResult:
    # An exit code other than 0 fails the asset, and its messages are in the log of the step.
    subprocess.run(COMMAND, check=True)
    with open("summary.json", encoding="utf-8") as summary:
        counts = json.load(summary)
    return dg.MaterializeResult(metadata={name: counts[name] for name in ("read", "found", "missing", "failed")})


nightly = dg.ScheduleDefinition(
    name="nightly",
    target=dg.AssetSelection.assets(chemicals),
    cron_schedule="30 2 * * *",
)
defs = dg.Definitions(assets=[chemicals], schedules=[nightly])
