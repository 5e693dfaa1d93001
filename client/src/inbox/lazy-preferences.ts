/** Loads the view of the preferences, which many pages do not have. */
export const loadPreferences = () => import('./preferences-view.ts');
