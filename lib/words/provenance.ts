/** By what a patch of an origin was made, if its place shows that. */
export const TRIGGER_WORDS: Record<string, string> = {
  'fixes-dir': 'a hook of the run, after its task failed',
  'stdout-artifact': 'a task of the run that declares the patch as its output',
}

/** Names of facts, as the document about a fix lists them. */
export const DIRTY_DIGEST_NAME = 'digest of the changes'

/** Said where a person judged what a key of their own proposed. */
export const OWNS_KEY = 'the reviewer owns the API key that proposed it'
