/**
 * A value with its channel under today's name and under `door`, its name in 0.1.0. Stored JSON of that version has the old name alone;
 * answers have both, so that its clients read them.
 *
 * @see docs/api.md#deprecated-names
 */
export function withChannelAlias<Named extends { channel: string }>(named: Named): Named & { door: string } {
  const { door } = named as { door?: Named['channel'] }
  const channel = named.channel ?? door
  return { ...named, channel, door: channel }
}
