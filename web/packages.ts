/**
 * What both documents use of packages. As an entry of the build it is a file without words and without parts of ours, which
 * browsers keep in all languages and through upgrades of the dashboard.
 */
export { createElement } from 'react';
export { jsx } from 'react/jsx-runtime';
export { createRoot } from 'react-dom/client';
