import { parsePublicKey, type PublicKey } from '@/lib/judge/receipts/keys'
import { oneLine, cutAtWord } from '@/lib/text/visible'
import { verifyText } from '@/lib/words/cli/verify'
import { CliFailure } from '../exit-codes'
import { readSmallFile } from './read-small-file'

const keyForms = verifyText.keyForms

/**
 * A key as it is given on the command line: itself, or the file that holds it.
 *
 * @throws CliFailure `usage`: a key that cannot be read is the operator's error and no word on any chain. It never holds what was in a file
 */
export async function readKey(given: string, option: string): Promise<PublicKey> {
  const own = parsePublicKey(given)
  if (own !== null) return own
  if (given.trimStart().startsWith('-----BEGIN')) throw unusable(`What ${option} was given`, given)
  const named = cutAtWord(oneLine(given), 120)
  const text = await readSmallFile(given).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENAMETOOLONG') {
      throw new CliFailure('usage', verifyText.neitherKeyNorFile({ option, named, keyForms }))
    }
    throw new CliFailure(
      'usage',
      verifyText.keyUnreadable({ named, code: error.code, reason: error.message }),
      {
        cause: error,
      },
    )
  })
  const key = parsePublicKey(text)
  if (key === null) throw unusable(`The file ${named}`, text)
  return key
}

const unusable = (what: string, text: string): CliFailure =>
  new CliFailure(
    'usage',
    text.includes('PRIVATE KEY') ? verifyText.privateKey({ what }) : verifyText.notAKey({ what, keyForms }),
  )
