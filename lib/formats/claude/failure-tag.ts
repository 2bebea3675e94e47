/** Name of the tag by which an agent declares its run failed, where `INQUEST_FAILURE_TAG` names no other one (`docs/cli.md#failure-signal`). */
export const FAILURE_TAG = 'octopus-task-failed'

const NAME = /^[a-z][a-z0-9._-]*$/i

/** The tag that an environment asks for: the default where it names none, and what is wrong with a name that cannot be one of a tag. */
export function readFailureTag(
  env: Readonly<Record<string, string | undefined>>,
): { tag: string } | { trouble: string } {
  const tag = env.INQUEST_FAILURE_TAG || FAILURE_TAG
  if (NAME.test(tag)) return { tag }
  return {
    trouble: `INQUEST_FAILURE_TAG is "${tag}"; it must be the name of a tag: a letter, then letters, digits, "-", "_" and ".".`,
  }
}
