"""Refreshes a mirror every night with Airflow 3. Copy it into the folder of DAGs.

Each step is a command, so the workers of Airflow need only chemstream and these variables: CHEMSTREAM_BASE_URL,
CHEMSTREAM_API_KEY_FILE and CHEMSTREAM_HARVESTS_FILE. A step that is repeated continues where it stopped.
"""

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

with DAG(
    "chemstream_nightly",
    schedule="30 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=10)},
):
    start = BashOperator(
        task_id="start",
        bash_command="chemstream harvest start night-{{ ds }} --all --mirror ours --older-than 19h --detach --quiet",
    )
    # Exit code 4: the service is unavailable. A retry waits for it again.
    work = BashOperator(task_id="work", bash_command="chemstream harvest worker --until-done")
    # A repeated step above has no unfinished harvest, so only this one judges the night.
    check = BashOperator(
        task_id="check",
        bash_command="chemstream harvest status night-{{ ds }} --check",
        retries=0,
    )
    start >> work >> check
