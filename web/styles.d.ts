/** Style sheets are bundled by the build and export nothing. */
declare module '*.css';
