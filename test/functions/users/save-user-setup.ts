import { useAccount, useApp } from '../../support/use-app.ts';

export const app = useApp();
export const shared = useAccount(app);

export const ada = { userId: 'ada' };
