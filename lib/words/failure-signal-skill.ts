/** The text that teaches an agent to declare a failure; the rules are those of `docs/sources/claude-code.md#result-record`, in words for an agent. */
export const failureSignalSkill = (tag: string): string => `# Declaring that a run failed

Your run counts as a success unless you say otherwise. That you finished is a success, whatever you found: a bug you were asked to look for and found is
a good result, not a failed run. There is one way to make the run count as failed: a failure block in your final message.

## When

- Send the block only when both hold: the person who gave you the task named a condition under which the run must fail, and you found that the
  condition is met.
- Never send it on your own account: not because a command failed on the way, not because the work was hard, not to be on the safe side.
- When you are not sure whether the condition is met, say what you found and what you could not find out. Send the block only if you were told that an outcome
  that cannot be verified must fail the run as well.

## How

The block stands in your final message, as plain text, each tag on a line of its own:

<${tag}>
One or two sentences for the person who reads the log: what is wrong, and where.
</${tag}>

- Close it. A block that is opened and never closed is not seen, and the run stays green.
- No backticks, no code fence, no bold, no quotation around it, and no other words on the lines of the tags.
- Send it once. Only the first block counts.
- Give the reason. It is short and specific, and may span lines: "3 of 58 tests in src/checkout fail; the first is tax.test.ts:41". Without any reason the
  short form <${tag}/> fails the run as well, and tells nobody why.
- Do not mention the block otherwise: not as an example, and not to say that you will not send it. What looks like a block is one, wherever it stands.
`
