import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { WaysOn } from '@/components/find/ways-on'
import { Markdown } from '@/components/problems/markdown'
import { PROBLEMS } from '@/lib/problem'
import { PROBLEM_TITLES } from '@/lib/words/problem-titles'

interface Props {
  params: Promise<{ slug: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params
  return {
    title: Object.hasOwn(PROBLEMS, slug) ? PROBLEM_TITLES[slug as keyof typeof PROBLEMS] : 'Unknown problem',
  }
}

/** What a problem document means and what to do. Public: who cannot sign in needs it most. */
export default async function ProblemPage({ params }: Props) {
  const { slug } = await params
  // Only names of the closed list become a path.
  if (!Object.hasOwn(PROBLEMS, slug)) notFound()
  const text = await readFile(join(process.cwd(), 'docs', 'problems', `${slug}.md`), 'utf8')
  return (
    <div className="mx-auto max-w-2xl space-y-4 px-4 py-10">
      <p className="text-ink-2">The server returned this error. Here is what it means and how to fix it.</p>
      <Markdown text={text} />
      <section aria-labelledby="ways-on" className="space-y-3 border-t border-line pt-4">
        <h2 id="ways-on" className="text-md font-semibold">
          Go to
        </h2>
        <WaysOn />
      </section>
    </div>
  )
}
