/**
 * Cases that run code of `reference/`, by the operation or comparison that they name, each with what the code stands for and
 * why the product does not run it. Every other case enters through code that the product runs.
 */
export const REFERENCE_CASES = {
  assemble_envelope: "the source's executor builds the envelope; the product only reads it",
  auto_troubleshoot_enabled: "the source's executor decides whether to ask for a diagnosis",
  carveout_rule: "the source's worker decides which tools are exempt from its search for errors",
  configure_agent: "the source's executor checks the configuration of an agent step",
  diagnosis_backoff: "the source's executor waits for the diagnosis",
  forwarded_input: "the source's executor makes the input of the diagnosis run",
  parse_local_reply: 'a playbook of the source reads the reply of its local model',
  parse_remote_reply: 'a playbook of the source reads the reply of a remote model',
  poll_until_terminal: "the source's executor waits for its child run",
  read_status_document: "the source's executor reads a status; the product stores it and decides from rows",
  route_after_triage: 'a playbook of the source chooses its next step',
  select_diagnosis: 'a playbook of the source chooses among the replies of models',
  terminal_result_of_child: "the source's executor fetches the result of its child run",
  worker_outcome: "the source's worker classifies a reply; the product reads the rows it wrote",
  assert_spike: "the source's script judges its own test run",
  project_result: "the source's worker cuts a result, in versions that no row names",
  receipt: 'the daemon makes a receipt of a hook frame; the product only predicts which frames are lost',
  applies: 'git applies patches in the product; this simulates it in memory',
  post: 'files after the simulated application',
  files: 'the list of changed files with what the simulated application adds',
  'safety-with-base': 'flags with the files before, which the product does not have when it reads a fix',
} as const

export type ReferenceCase = keyof typeof REFERENCE_CASES

export const isReferenceCase = (name: string): name is ReferenceCase => Object.hasOwn(REFERENCE_CASES, name)
