'use client'

import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { sendJson } from '../shared/get-json'

export function SignOut({ className, wordClass }: { className?: string; wordClass?: string }) {
  const [failed, setFailed] = useState(false)
  const leave = async (): Promise<void> => {
    try {
      await sendJson('POST', links.api.signOut(), {})
      // A whole new page: nothing that was read as this person may stay in memory.
      window.location.assign(links.signIn())
    } catch {
      setFailed(true)
    }
  }
  return (
    <button type="button" onClick={leave} title="Sign out" className={cn(className, 'w-full')}>
      <LogOut size={16} aria-hidden className="shrink-0" />
      <span className={wordClass} role={failed ? 'alert' : undefined}>
        {failed ? 'Sign-out failed. Try again' : 'Sign out'}
      </span>
    </button>
  )
}
