/** Name of the tag by which an agent declares its run failed, where `INQUEST_FAILURE_TAG` names no other one (`docs/cli.md#failure-signal`). */
export const FAILURE_TAG = 'octopus-task-failed'

const NAME = /^[a-z][a-z0-9._-]*$/i

/** The tag that an environment asks for: the default where it names none, or what it names that cannot be the name of a tag. */
export function readFailureTag(
  env: Readonly<Record<string, string | undefined>>,
): { tag: string } | { trouble: { tag: string } } {
  const tag = env.INQUEST_FAILURE_TAG || FAILURE_TAG
  return NAME.test(tag) ? { tag } : { trouble: { tag } }
}
