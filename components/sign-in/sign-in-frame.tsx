import { Mark } from '../shell/mark'

export const SignInFrame = ({ children }: { children: React.ReactNode }) => (
  <div className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 px-4 py-10">
    <p className="flex items-center gap-2.5 text-md font-semibold">
      <Mark size={22} /> Inquest
    </p>
    {children}
  </div>
)
