import { inputClass } from '../shared/ui/field'

/** Which project a form is about; nothing to choose when there is only one. */
export function ProjectField({ projects, chosen }: { projects: string[]; chosen?: string }) {
  if (projects.length < 2) return null
  return (
    <label className="block space-y-1">
      <span className="font-medium">Project</span>
      <select name="project" defaultValue={chosen} className={inputClass}>
        {projects.map((slug) => (
          <option key={slug}>{slug}</option>
        ))}
      </select>
    </label>
  )
}
