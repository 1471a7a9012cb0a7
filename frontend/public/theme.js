// The theme that the reader chose, before anything is painted: the pages' own code comes too late
// for that, and their Content-Security-Policy allows no inline script. What src/lib/theme.ts stores.
document.documentElement.dataset.theme = localStorage.getItem('searchqa.theme') ?? 'system'
