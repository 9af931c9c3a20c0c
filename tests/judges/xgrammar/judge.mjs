// Asks xgrammar about every fixture: does it compile the schema, does it take the instances, does it
// refuse what is broken?
//
//     tests/judges/xgrammar/run
//
// Prints what it does otherwise, and ends with 1 if it refuses a schema or an instance, or takes something broken of which
// the schema has a keyword, for no reason that is listed in `known.json`.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction, constants } from "node:vm";

// The package declares a module but ships a script, so it is loaded as one.
function load(name) {
  const require = createRequire(import.meta.url);
  const path = require.resolve(name);
  const module = { exports: {} };
  const names = ["exports", "module", "require", "__filename", "__dirname"];
  const options = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  const script = compileFunction(readFileSync(path, "utf8"), names, options);
  script(module.exports, module, require, path, dirname(path));
  return module.exports;
}

// The engine warns on the console about things that show in its answers.
const say = (line) => process.stdout.write(`${line}\n`);
console.log = () => {};

const { Grammar, Testings } = load("@mlc-ai/web-xgrammar");
const known = JSON.parse(readFileSync(new URL("known.json", import.meta.url)));
const fixtures = readFileSync(process.argv[2], "utf8").trim().split("\n").map((line) => JSON.parse(line));
const counts = { schemas: 0, instances: 0, refused: 0, known: 0, faults: 0, ignored: {} };

function fault(name, what) {
  const reason = known[name];
  counts[reason ? "known" : "faults"] += 1;
  if (!reason) say(`${name}: ${what}`);
}

for (const { name, schema, instances, broken } of fixtures) {
  let grammar;
  try {
    grammar = await Grammar.fromJSONSchema(schema, true);
  } catch (error) {
    fault(name, `refuses the schema: ${error.message ?? error}\n  ${schema}`);
    continue;
  }
  counts.schemas += 1;
  for (const text of instances) {
    if (await Testings.isGrammarAcceptString(grammar, text)) {
      counts.instances += 1;
    } else {
      fault(name, `does not write ${text}`);
      break;
    }
  }
  for (const { text, breaks, described } of broken) {
    if (await Testings.isGrammarAcceptString(grammar, text)) {
      if (described) {
        counts.ignored[breaks] = (counts.ignored[breaks] ?? 0) + 1;
      } else {
        fault(name, `writes ${text}, where ${breaks}\n  ${schema}`);
      }
    } else {
      counts.refused += 1;
    }
  }
  grammar.dispose();
}

say(`${counts.schemas} of ${fixtures.length} schemas compile; ${counts.instances} instances are written`);
say(`${counts.refused} broken instances are refused; not noticed, and only described: ${JSON.stringify(counts.ignored)}`);
say(`${counts.known} departures are known, ${counts.faults} are not`);
process.exit(counts.faults > 0 ? 1 : 0);
