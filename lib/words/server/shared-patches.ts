import { limits } from '../../limits'

/** Why a link to a patch does not open it. */
export const sharedPatchText = {
  keysCantShare: 'API keys can’t manage share links. Sign in.',

  fixNotShareable: ({ state }: { state: string }) =>
    `The fix is “${state}”. Only patches of open or approved fixes can be shared.`,
  acknowledgeSecret:
    'acknowledgeSecret: the patch contains a secret, or has not been scanned for secrets. Send true to share it anyway.',
  secretHours: () =>
    `hours: a patch with a secret can be shared for at most ${limits.shareLinkSecretHoursMax} hours.`,

  linkRevoked: 'This link was revoked. Ask whoever sent it for a new one.',
  linkExpired: 'This link has expired. Ask whoever sent it for a new one.',
  patchWithdrawn: 'This patch is no longer offered: it was rejected, replaced or has expired.',
  linkDisabled: 'This link was disabled because a secret was found in the patch.',
  linkInvalid: 'This link is not valid. Check that its address is complete.',
}
