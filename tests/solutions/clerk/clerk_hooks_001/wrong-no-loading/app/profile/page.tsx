import { ProfileCard } from '@/components/profile-card'

export default function ProfilePage() {
  return <ProfileCard />
}
