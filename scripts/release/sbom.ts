import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

interface Sbom {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; purl?: string } }
}

/**
 * The packages that are in a release, as CycloneDX, from the lock file. Number and time are those of the commit, so that it is the same whenever
 * it is made. The product has no address in a registry: nothing is published there.
 */
export function writeSbom(root: string, { commit, date }: { commit: string; date: string }): string {
  const told = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const sbom = JSON.parse(told) as Sbom
  sbom.serialNumber = `urn:uuid:${uuidOf(commit)}`
  sbom.metadata.timestamp = date
  sbom.metadata.component.name = 'inquest'
  delete sbom.metadata.component.purl
  return `${JSON.stringify(sbom, null, 2)}\n`
}

/** A version 8 UUID, whose bits are ours to choose. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`inquest sbom ${text}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
