/** A billing record as the examples of several rows show it. */
export const exampleOrganization = {
  organizationId: 'q3Vb7Yx0KpLm2RtA',
  organizationType: 'free',
  creator: 'ada@example.com',
  name: 'Shop',
  messagesCap: 10_000_000,
  costCap: 1000,
  billingVersion: 3,
  anniversaryDate: '2026-12-21',
  allowOverage: false,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
};
