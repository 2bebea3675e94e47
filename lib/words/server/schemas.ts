/** What the HTTP contract says of a value that it refuses, and of who may call an operation. */
export const schemaText = {
  notABranch: 'Not a valid branch name.',
  notADigest: 'must be a SHA-256 digest in lower-case hex',

  requires: ({ role, scopes }: { role: string; scopes: readonly string[] }) =>
    `Needs the role ${role}, or a key with the scope ${scopes.join(' or ')}.`,
  requiresMetricsToken: 'Needs INQUEST_METRICS_TOKEN as the bearer token, or an instance admin.',
  open: 'Open to everyone.',
}
