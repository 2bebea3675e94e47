export default function Page() {
  return <p>A minimal page, made while the app was built</p>
}
