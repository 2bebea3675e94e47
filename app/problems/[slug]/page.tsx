import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Markdown } from '@/components/problems/markdown'
import { PROBLEMS } from '@/lib/problem'

interface Props { params: Promise<{ slug: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params
  return { title: Object.hasOwn(PROBLEMS, slug) ? PROBLEMS[slug as keyof typeof PROBLEMS].title : 'No such problem' }
}

/** What a problem document means and what to do. Public: who cannot sign in needs it most. */
export default async function ProblemPage({ params }: Props) {
  const { slug } = await params
  // Only names of the closed list become a path.
  if (!Object.hasOwn(PROBLEMS, slug)) notFound()
  const text = await readFile(join(process.cwd(), 'docs', 'problems', `${slug}.md`), 'utf8')
  return <Markdown text={text} />
}
