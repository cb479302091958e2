const { dest, src, task } = require('gulp');

task('build:icons', () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons')));
