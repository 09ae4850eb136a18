"""Writes operators.ts: what the library itself says of each operator, over all of its versions.

    python -m venv v && v/bin/pip install onnx && v/bin/python write_operators.py
"""

import os
from importlib.metadata import version

import onnx.defs

LEADS = "name, fewest and most inputs, fewest and most outputs (- is any number), attributes"
domains = {}
for schema in onnx.defs.get_all_schemas_with_history():
    domain = domains.setdefault(schema.domain, {"version": 0, "operators": {}})
    domain["version"] = max(domain["version"], schema.since_version)
    known = domain["operators"].setdefault(schema.name, [schema.min_input, 0, schema.min_output, 0, set()])
    known[0], known[1] = min(known[0], schema.min_input), max(known[1], schema.max_input)
    known[2], known[3] = min(known[2], schema.min_output), max(known[3], schema.max_output)
    known[4] |= set(schema.attributes)

os.chdir(os.path.dirname(os.path.abspath(__file__)))
with open("operators.ts", "w") as file:
    file.write(f"/** By their domain, as onnx {version('onnx')} has them; `write_operators.py` wrote it. Of each: {LEADS}. */\n")
    file.write("export const OPERATORS: Readonly<Record<string, { readonly version: number; readonly operators: string }>> = {\n")
    for name, domain in sorted(domains.items()):
        file.write(f"'{name}': {{ version: {domain['version']}, operators: `\n")
        for operator, known in sorted(domain["operators"].items()):
            counts = ["-" if count > 1000 else str(count) for count in known[:4]]
            file.write(" ".join([operator, *counts, *sorted(known[4])]) + "\n")
        file.write("` },\n")
    file.write("};\n")
