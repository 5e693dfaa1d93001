import config from '../../vitest.config.ts';

/** The project `main`, with the cases that `npm test` runs. */
const main = config.test?.projects?.find(
  (project) => typeof project === 'object' && 'test' in project && project.test?.name === 'main',
);
if (typeof main !== 'object' || !('test' in main)) throw new Error('vitest.config.ts has no project main');

export default {
  test: { ...config.test, projects: undefined, ...main.test, env: { ...main.test?.env, CASES: 'few' } },
};
