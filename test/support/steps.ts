import { type Profiler, Session } from 'node:inspector';

const PARSERS =
  'valibot|liquidjs|postal-mime|@formatjs|intl-messageformat|libphonenumber-js|@aws-sdk/util-dynamodb';
const OWN_CODE = new RegExp(`/(shared|functions|infra|node_modules/(${PARSERS}))/`);

/**
 * Returns a counter of steps: how often V8 enters a block of this repository's code or of a library that parses while each of the
 * works runs. The count depends on the input alone, not on the machine, so that growth is compared without measuring time. Work inside
 * native functions is not counted. To be used in a process of few modules: each count walks through all of them.
 */
export function createStepCounter(): (works: readonly (() => unknown)[]) => Promise<number[]> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const take = () => {
    let scripts: Profiler.ScriptCoverage[] = [];
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      scripts = taken.result.filter(({ url }) => OWN_CODE.test(url));
    });
    return scripts
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  };
  return async (works) => {
    take();
    const steps: number[] = [];
    for (const work of works) {
      await work();
      steps.push(take());
    }
    return steps;
  };
}
