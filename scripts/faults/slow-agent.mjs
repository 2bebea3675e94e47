/** An agent that takes its time: `node slow-agent.mjs SESSION STEPS STATUS` prints stream-json and ends with that status. */
import { setTimeout as pause } from 'node:timers/promises'

const [session, steps, status] = process.argv.slice(2)
const STEP_MS = 20
// Whoever read this may have been killed.
process.stdout.on('error', () => process.exit(1))

const say = (record) => process.stdout.write(`${JSON.stringify({ session_id: session, ...record })}\n`)
const message = (role, id, content) =>
  say({ type: role, message: { id: `${session}-${id}`, role, model: 'claude-sonnet-4-5', content } })

say({ type: 'system', subtype: 'init', cwd: '/srv/shop', model: 'claude-sonnet-4-5' })
for (let step = 0; step < Number(steps); step++) {
  const call = `toolu-${session}-${step}`
  message('assistant', `a${step}`, [
    { type: 'tool_use', id: call, name: 'Bash', input: { command: `step ${step}` } },
  ])
  message('user', `u${step}`, [
    { type: 'tool_result', tool_use_id: call, content: `step ${step}`, is_error: step % 7 === 3 },
  ])
  await pause(STEP_MS)
}
process.stderr.write('Error: the last step broke\n')
say({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', num_turns: 1 })
process.exitCode = Number(status)
