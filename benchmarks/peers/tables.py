# Does the job like a public client for Python: sequential batches of 1,000 through requests, into one pandas table.
# `python3 tables.py URL FILE > out.ndjson`
import sys

import pandas
import requests

url, file = sys.argv[1:]
size = 1000

with open(file, encoding="utf-8") as lines:
    ids = lines.read().split()

records = []
for start in range(0, len(ids), size):
    response = requests.post(
        f"{url}/chemical/detail/search/by-dtxsid/",
        headers={"x-api-key": "benchmark", "accept": "application/json"},
        json=ids[start : start + size],
    )
    response.raise_for_status()
    records.extend(response.json())

pandas.DataFrame(records).to_json(sys.stdout, orient="records", lines=True)
