'use client'

export function NewProject({ isShown }: { isShown: boolean }) {
  return isShown ? <a href="/projects/new">New project</a> : null
}
