/** A view whose data has not come yet. */
export function ViewSkeleton() {
  return (
    <div role="group" aria-busy="true" aria-label="Loading" className="space-y-4 p-4 md:p-6">
      <div className="skeleton h-7 w-3/5" />
      <div className="skeleton h-4 w-2/5" />
      <div className="skeleton h-40" />
      <div className="skeleton h-24" />
    </div>
  )
}
