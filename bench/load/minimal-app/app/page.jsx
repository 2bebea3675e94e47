/** Made anew for each request, as every page of the product is. */
export const dynamic = 'force-dynamic'

export default function Page() {
  return <p>A minimal page</p>
}
