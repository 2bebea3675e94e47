/**
 * The lines at the end of a page that is painted first: a function of the addresses of what was held back.
 *
 * It lays the rest of the page out in the second frame, and asks for the files when the text has been painted: at once in a tab
 * that nobody looks at, and in any case after a while. What a reader presses, types or sends before the page can answer is kept,
 * and done once, when it says that it can (`inquest-ready`, app/providers.tsx). Links and folds work by themselves.
 *
 * It is text, since it runs in the page as it is here.
 */
export const LATE_LOADER = `function(files){
var steps=2,asked=false
function rest(){document.documentElement.setAttribute('data-painted','')}
function ask(){
rest()
if(asked)return
asked=true
files.forEach(function(file){
var style=/\\.css(\\?|$)/.test(file),e=document.createElement(style?'link':'script')
if(style){e.rel='stylesheet';e.href=file;e.setAttribute('data-precedence','next')}else{e.src=file;e.async=true}
document.head.appendChild(e)})}
function step(){if(--steps===0)setTimeout(ask)}

var early=[],kinds=['click','keydown','submit','input','change']
// What is kept is for nobody else: parts of the page answer before the whole does, and would do it too.
function keep(e){
var x=kept(e)
if(x){e.stopImmediatePropagation();early.push(x)}}
function kept(e){
var t=e.target,k=e.type
if(k==='click'){
if(t.type==='checkbox'||t.type==='radio')return{k:'check',t:t,to:t.checked}
t=t.closest('button,[role=button]')
return t&&!(t.type==='submit'&&t.form)&&{k:k,t:t}}
if(k==='submit'){e.preventDefault();return{k:k,t:t,by:e.submitter}}
if(k==='keydown'){
if((e.ctrlKey||e.metaKey)&&e.key==='k')e.preventDefault()
return{k:k,t:t,e:e}}
return t.type!=='checkbox'&&t.type!=='radio'&&(k==='input')===(t.tagName!=='SELECT')&&{k:k,t:t,to:t.value}}
function again(x){
var t=x.t
if(!t.isConnected)return
if(x.k==='click')t.click()
else if(x.k==='check'){t.checked=!x.to;t.click()}
else if(x.k==='submit')t.requestSubmit(x.by)
else if(x.k==='keydown'){var e=x.e;t.dispatchEvent(new KeyboardEvent('keydown',{key:e.key,code:e.code,ctrlKey:e.ctrlKey,metaKey:e.metaKey,altKey:e.altKey,shiftKey:e.shiftKey,bubbles:true,cancelable:true}))}
else{
// React only hears of a value that differs from the one it set last.
if(x.k==='input')t.value=''
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(t),'value').set.call(t,x.to)
t.dispatchEvent(new Event(x.k,{bubbles:true}))}}
kinds.forEach(function(k){addEventListener(k,keep,true)})
// Back and forward lead to another state of this document, which nobody shows before the page answers, and the router, which learns of it
// late, may show too late: the server shows it.
function address(){return location.pathname+location.search}
var shown=address()
function moved(){if(address()!==shown)location.reload()}
addEventListener('popstate',moved)
addEventListener('inquest-ready',function(){
removeEventListener('popstate',moved)
kinds.forEach(function(k){removeEventListener(k,keep,true)})
early.forEach(again)},{once:true})

if(document.visibilityState==='hidden')return ask()
requestAnimationFrame(function(){requestAnimationFrame(function(){rest();step()})})
try{new PerformanceObserver(function(list,self){if(list.getEntriesByName('first-contentful-paint').length){self.disconnect();step()}}).observe({type:'paint',buffered:true})}catch(e){step()}
setTimeout(ask,1500)
}`
