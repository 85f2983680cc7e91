import { OnboardingForm } from '@/components/onboarding-form'

export default async function OnboardingPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const { next } = await searchParams
  return (
    <>
      <h1>Nearly done</h1>
      <OnboardingForm next={next ?? ''} />
    </>
  )
}
