"""Runs json_repair over the cases on standard input, without their schemas and with them."""

import json
import sys
import time

import json_repair


def attempt(text, schema):
    try:
        return json_repair.loads(text, schema=schema)
    except (ValueError, RecursionError):
        return None


def shortest(rounds, work):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


asked = json.load(sys.stdin)
texts, large = asked["texts"], asked["large"]
runs = []
for name, schemas in [
    ("json_repair (Python)", [None] * len(texts)),
    ("json_repair, by schema", asked["schemas"]),
]:
    cases = list(zip(texts, schemas))
    results = [attempt(*case) for case in cases]
    small = shortest(10, lambda: [attempt(*case) for case in cases])
    schema = large["schema"] if schemas[0] else None
    whole = attempt(large["text"], schema) == large["expected"]
    time_large = shortest(3, lambda: attempt(large["text"], schema)) if whole else None
    runs.append([name, results, small, time_large])
json.dump(runs, sys.stdout)
