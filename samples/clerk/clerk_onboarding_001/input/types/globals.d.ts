export {}

declare global {
  // In Clerk's dashboard the session token has the claim "metadata": "{{user.public_metadata}}".
  interface CustomJwtSessionClaims {
    metadata?: { onboardingComplete?: boolean }
  }
}
