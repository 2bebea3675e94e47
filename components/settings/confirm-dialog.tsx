import type { ReactNode } from 'react'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'

/** Asks before something that cannot be taken back; closing it changes nothing. */
export function ConfirmDialog({
  open,
  title,
  keep,
  does,
  onConfirm,
  onClose,
  children,
}: {
  open: boolean
  title: string
  /** What closing it means, on its button. */
  keep: string
  /** What is done, on its button. */
  does: string
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="space-y-3 p-4">
        {children}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{keep}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onConfirm()
              onClose()
            }}
          >
            {does}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
