import { Download } from 'lucide-react'
import { buttonClass } from '../shared/ui/button'

/** Hands out a file that verifies itself, with no server and no network. */
export const ExportLink = ({ href }: { href: string }) => (
  <a
    href={href}
    download
    className={buttonClass()}
    title="One HTML file with receipts, keys and an offline verifier"
  >
    <Download size={14} aria-hidden /> Export
  </a>
)
