const ROUNDS = 15

/**
 * Has a few pages made and thrown away: the first ones after a start take several times as long, since nothing of the code that
 * makes them has been compiled yet. They are made one after the other, and whoever comes meanwhile is served as well.
 */
export async function warmUp(url: string, signal: AbortSignal): Promise<void> {
  for (let i = 0; i < ROUNDS && !signal.aborted; i++) {
    // A page that fails here fails for its readers, too, and they see the error.
    await fetch(url, { headers: { accept: 'text/html' }, signal })
      .then((answer) => answer.text())
      .catch(() => undefined)
  }
}
