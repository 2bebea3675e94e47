/** One run of a CI system, as its environment variables name it; what they do not say is `null`. */
export interface CiRun {
  /** `github`, `gitlab`, `buildkite`, `jenkins`, `circleci`, or the word that `INQUEST_CI_PROVIDER` gives. */
  provider: string | null
  /** The provider's own path of the project: `owner/repo`, nested groups, organization and pipeline, a Jenkins job. */
  path: string | null
  run: string | null
  /** 1 for the first attempt, where the provider counts attempts. */
  attempt: number | null
  job: string | null
  branch: string | null
  commit: string | null
  /** Page of the run at the provider. */
  url: string | null
  /** `owner/repo` of the code, which some providers name apart from the project. */
  repository: string | null
}

/** A CI run as an address names it. */
export interface CiAddress {
  provider: string
  path: string
  run: string
  /** Null: none is named, or `unread` has an unreadable value. */
  attempt: number | null
  /** What is where an attempt would and is no number of one. */
  unread: string | null
}

/** How executions of a run are listed; `running`: nothing else is open. */
export type CiGroup = 'failed' | 'running' | 'open' | 'succeeded'
