import { FileSearch } from 'lucide-react'
import Link from 'next/link'
import type { Pointer } from '@/lib/model/execution'
import { links } from '@/lib/links'

/** Leads to the bytes that something was read from. */
export const BytesLink = ({
  executionId,
  pointer,
  children,
}: {
  executionId: string
  pointer: Pointer
  children: React.ReactNode
}) => (
  <Link
    href={links.bytes(executionId, pointer)}
    prefetch={false}
    className="link inline-flex items-center gap-1"
  >
    <FileSearch size={14} aria-hidden /> {children}
  </Link>
)
