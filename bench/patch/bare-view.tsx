import { createRoot } from 'react-dom/client'
import { Diff, Hunk, parseDiff } from 'react-diff-view'
import 'react-diff-view/style/index.css'

/** The library alone, as its own example has it: the whole patch is read and all of it is drawn. */
const text = await (await fetch('/change.patch')).text()
createRoot(document.querySelector('#root')!).render(
  parseDiff(text).map(({ oldPath, newPath, type, hunks }) => (
    <section key={newPath}>
      <h2>{newPath || oldPath}</h2>
      <Diff viewType="split" diffType={type} hunks={hunks}>
        {(all) => all.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
      </Diff>
    </section>
  )),
)
