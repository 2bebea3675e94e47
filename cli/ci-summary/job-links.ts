import { ciSummaryText } from '@/lib/words/cli/ci-summary'
import { plainText } from './escapes'
import type { Summary } from './summary'

const LINKS_MAX = 10

/** A report of annotations as GitLab takes it (`artifacts:reports:annotations`): links that are on the page of the job. */
export function jobLinks({
  groups,
  url,
  addressOf,
}: Pick<Summary, 'groups' | 'url' | 'addressOf'>): Record<
  string,
  { external_link: { label: string; url: string } }[]
> {
  const link = (label: string, address: string) => ({ external_link: { label, url: address } })
  return {
    Inquest: [
      link(ciSummaryText.linkLabel, url),
      ...groups
        .slice(0, LINKS_MAX - 1)
        .map(({ text, executions }) => link(plainText(text, 120), addressOf(executions[0]!.id))),
    ],
  }
}
