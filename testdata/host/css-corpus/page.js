// The list of items of the start page, with jQuery.
$(function () {
  var $items = $('#items');
  $items.find('li.item:first').select('a');
  $('form :input[name!="token"]').select();
  $('#items').select('.item:eq(0), .item[data-x="1"]');
  $('.tabs').tabs({ selector: '> .tab:visible' });
  $items.on('click', { selector: '.item .cb' }, function (ev) { ev.preventDefault(); });
  $.widget('ui.items', { options: { selector: 'li:has(> .block)', items: [] } });
});
