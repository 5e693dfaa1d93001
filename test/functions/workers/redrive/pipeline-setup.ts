import { usePipeline } from '../../../support/pipeline.ts';
import { useAccount } from '../../../support/use-app.ts';
import { redriving } from './setup.ts';

export const pipeline = usePipeline();
export const account = useAccount(pipeline);
export const on = redriving(pipeline);
