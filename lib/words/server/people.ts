/** Why an account, a role or a one-time link was refused. */
export const peopleProblemText = {
  unknownKey: 'The API key is unknown, revoked or expired.',
  requiresInstanceAdmin: ({ what }: { what: string }) =>
    `${what} requires an instance admin, not a project admin.`,
  noSuchProject: ({ slug }: { slug: string }) =>
    `No project "${slug.slice(0, 80)}" in which this is allowed.`,

  originNotAllowed: ({ origin }: { origin: string }) =>
    `Origin ${origin.slice(0, 200)} is not allowed. Set INQUEST_PUBLIC_URL to the public address of this server.`,
  originMissing: 'Requests with a session cookie need an Origin header.',

  tooManyAttempts: ({ seconds }: { seconds: number }) => `Too many attempts. Try again in ${seconds} s.`,

  adminExists: 'An admin already exists. Create a link for a person with: inquest user link EMAIL',

  linkUsed: 'This link was used, has expired, or was replaced by a newer one.',
  linkFieldMissing: 'A field is missing. GET this URL to see which fields it needs.',
  emailInUse: 'This email address is already in use.',

  lastAdmin: 'Add another instance admin first.',

  onlyAdminAddsAdmin: 'Only an instance admin can add another one.',
  personExists: 'A person with this email address exists. Change their role instead.',
}
