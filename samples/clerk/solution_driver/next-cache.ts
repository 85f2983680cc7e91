/** Stands in for `next/cache`: there is no cache, so nothing needs to be revalidated. */
export function revalidatePath(): void {}
export function revalidateTag(): void {}
export function unstable_noStore(): void {}
export function unstable_cache<T>(compute: T): T {
  return compute
}
