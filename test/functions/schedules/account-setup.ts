import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';
import { scheduling } from './setup.ts';

export const HOUR_MS = 3_600_000;

export const pipeline = usePipeline();
export const account = useAccount(pipeline, 'test');
export const api = useStarted(async () => scheduling(pipeline, account), 'test');

export const inOneHour = () => pipeline.clock.nowMs + HOUR_MS;
export const iso = (ms: number) => new Date(ms).toISOString();
