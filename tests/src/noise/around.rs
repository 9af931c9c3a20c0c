//! What stands around a value.

use super::Choices;

const BEFORE: &[&str] = &[
    "",
    "Sure! Here it is:\n\n",
    "**Answer:** ",
    "As said in [1] and [2], with {name} as a placeholder: ",
    "<think>maybe {\"draft\": true}, or [1, 2</think>\n",
    "<Reasoning effort=\"high\">no</Reasoning>",
    "I thought {\"zz_draft\": 1} first.</think>",
    "<|channel|>analysis<|message|>so {\"zz_draft\": 1}<|end|><|start|>assistant<|channel|>final<|message|>",
    "{\"zz_level\": \"info\"}\n",
    "```bash\nexport A={a,b} && run ${HOME}\n```\n",
    "- [x] done\n- [ ] open\n",
    "\u{1b}[32m",
    "\u{feff}",
    "其答案如下：",
    "]} ",
    "const x = ",
    "data: ",
];

const FENCES: &[(&str, &str)] = &[
    ("", ""),
    ("", ""),
    ("```json\n", "\n```"),
    ("```\n", "\n```"),
    ("~~~JSON\n", "\n~~~"),
    ("````json5\n", "\n````"),
    ("```json\n", ""),
    ("``` ", " ```"),
    ("`", "`"),
    ("<answer>", "</answer>"),
];

const AFTER: &[&str] = &[
    "",
    "\n\nLet me know if {anything} is unclear!",
    ".\"\n}",
    "<|im_end|>",
    "\n{\"zz_level\": \"info\"}",
    "\0\0",
    "\n\n[1] a footnote, p. 12",
    "\u{1b}[0m",
    "; // done",
];

/// The value with a fence, prose, and other things around it. Its reading does not change.
pub fn around(value: &str, choices: &mut impl Choices) -> String {
    let (open, close) = choices.pick(FENCES);
    let (before, after) = (*choices.pick(BEFORE), *choices.pick(AFTER));
    // A fence begins a line.
    let line = if open.starts_with(['`', '~']) && open.len() > 2 { "\n" } else { "" };
    format!("{before}{line}{open}{value}{close}{after}")
}
